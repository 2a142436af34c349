// What a case asks the application, and tells it, over HTTP.
import http from 'node:http';

/** The HTTP server of the application. Every answer comes from the client's public methods or its cache. */
export function control(client) {
  const routes = {
    'GET /self/id': () => client.instanceId,
    'GET /discovered': () => discovered(client),
    'GET /known': (query) => known(client, query.get('app')),
    'GET /call': (query) => call(client, query.get('service')),
    'PUT /self/metadata': (query, body) => changeMetadata(client, JSON.parse(body)),
  };
  return http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const route = routes[`${request.method} ${pathname}`];
    if (!route) {
      response.writeHead(404).end();
      return;
    }
    try {
      const answer = (await route(searchParams, await text(request))) ?? '';
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    } catch (error) {
      response.writeHead(502).end(error.message);
    }
  });
}

/**
 * Everything in the client's cache, by VIP: its list by application is not used, because a delta
 * replaces and removes the first entry there, whichever instance the delta is about.
 */
function instances(client) {
  return Object.keys(client.cache.vip)
    .filter((vip) => client.cache.vip[vip].length > 0) // it would warn about those
    .flatMap((vip) => client.getInstancesByVipAddress(vip));
}

const urlOf = (instance) => `http://${instance.ipAddr}:${instance.port.$}`;

/** The URLs that a caller would choose from, by service. */
function discovered(client) {
  const urls = {};
  for (const instance of instances(client)) {
    (urls[instance.app.toLowerCase()] ??= new Set()).add(urlOf(instance));
  }
  return Object.fromEntries(Object.entries(urls).map(([name, set]) => [name, [...set].sort()]));
}

function known(client, app) {
  return instances(client)
    .filter((instance) => instance.app.toUpperCase() === app.toUpperCase())
    .map(({ instanceId, status, metadata }) => ({ id: instanceId, status, metadata }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The client has no load balancer: one of what it returns, at random. */
async function call(client, service) {
  const candidates = client.cache.vip[service]?.length ? client.getInstancesByVipAddress(service) : [];
  if (candidates.length === 0) {
    throw new Error(`no instance of ${service} is known`);
  }
  const chosen = candidates[Math.floor(Math.random() * candidates.length)];
  const answer = await fetch(`${urlOf(chosen)}/self/id`);
  if (!answer.ok) {
    throw new Error(`${urlOf(chosen)} answers ${answer.status}`);
  }
  return answer.text();
}

/** The client sends metadata only when it registers. */
function changeMetadata(client, metadata) {
  Object.assign(client.config.instance.metadata, metadata);
  return new Promise((resolve, reject) => {
    client.register((error) => (error ? reject(error) : resolve()));
  });
}

async function text(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
  }
  return body;
}
