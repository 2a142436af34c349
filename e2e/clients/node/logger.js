// The log of the client, in the form that cases read: the level comes first, then one line.
import { format } from 'node:util';

const write = (level) => (...args) => {
  // The client logs errors as objects, whose stack then takes lines of its own.
  console.log(`${level} ${new Date().toISOString()} eureka-js-client: ${format(...args)}`);
};

export const logger = {
  debug: write('DEBUG'),
  info: write('INFO'),
  warn: write('WARN'),
  error: write('ERROR'),
};
