// A service as teams write them in Node: eureka-js-client registers it and discovers others.
// control.js lets a case look inside.
import { parseArgs } from 'node:util';
import { Eureka } from 'eureka-js-client';
import { control } from './control.js';
import { logger } from './logger.js';

const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    address: { type: 'string' }, // HOST:PORT, where the service is reached
    'service-url': { type: 'string' }, // separated by commas
    'renewal-interval-seconds': { type: 'string' },
    'lease-duration-seconds': { type: 'string' },
    'fetch-interval-seconds': { type: 'string' },
    'no-register': { type: 'boolean', default: false },
    deltas: { type: 'boolean', default: false },
  },
});

const [host, number] = options.address.split(':');
const port = Number(number);
const url = `http://${host}:${port}`;
const seconds = (name) => Number(options[`${name}-seconds`]);

const client = new Eureka({
  logger,
  // Below "eureka", where the other settings are, it would be ignored.
  shouldUseDelta: options.deltas,
  eureka: {
    serviceUrls: { default: options['service-url'].split(',').map((each) => `${each}apps/`) },
    heartbeatInterval: seconds('renewal-interval') * 1000,
    registryFetchInterval: seconds('fetch-interval') * 1000,
    registerWithEureka: !options['no-register'],
  },
  instance: {
    instanceId: `${host}:${options.name}:${port}`,
    app: options.name,
    hostName: host,
    ipAddr: host,
    port: { $: port, '@enabled': true },
    securePort: { $: 443, '@enabled': false },
    vipAddress: options.name,
    secureVipAddress: options.name,
    homePageUrl: `${url}/`,
    statusPageUrl: `${url}/info`,
    healthCheckUrl: `${url}/health`,
    dataCenterInfo: {
      '@class': 'com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo',
      name: 'MyOwn',
    },
    leaseInfo: {
      renewalIntervalInSecs: seconds('renewal-interval'),
      durationInSecs: seconds('lease-duration'),
    },
    metadata: { team: 'checkout' },
  },
});

control(client).listen(port, host, () => client.start());

process.on('SIGTERM', () => client.stop(() => process.exit(0)));
