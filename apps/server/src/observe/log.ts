import { type DestinationStream, type Logger, pino } from 'pino';

/** The log for background work: errors, and information for administrators. */
export interface ServiceLog {
  info(about: object, message: string): void;
  warn(about: object, message: string): void;
  error(about: { readonly err: unknown }, message: string): void;
}

/** Creates a log of JSON lines. Fields with the names of secrets, such as `password`, and headers are removed. */
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
