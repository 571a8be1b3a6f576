import { type DestinationStream, type Logger, pino } from 'pino';

/** Where background work says what failed, and what an administrator should know. */
export interface ServiceLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: { readonly err: unknown }, message: string): void;
}

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
