import { type DestinationStream, type Logger, pino } from 'pino';

/** One JSON line an entry. Whatever could hold a secret is left out of it. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: ['*.password', '*.token', '*.secret', '*.authorization', '*.cookie', 'req.headers', '*.headers'],
      remove: true,
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
