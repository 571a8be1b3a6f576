import { fileURLToPath } from 'node:url';
import { type RunningServer, type ServerOptions, startServer } from '../server.ts';

/**
 * Starts a floor: a minimal server that the product is compared with. Its file describes its arguments and settings.
 */
export function startFloor(
  name: 'node-echo' | 'node-replay' | 'fastify-bytes' | 'fastify-signal' | 'signal-route',
  { args = [], ...options }: Partial<Pick<ServerOptions, 'args' | 'env'>> = {},
): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return startServer({ ...options, name: `floor ${name}`, args: [file, ...args] });
}
