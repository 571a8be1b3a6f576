import { fileURLToPath } from 'node:url';
import { type RunningServer, type ServerOptions, startServer } from '../server.ts';

/** Starts one of the plain servers that the product is compared with; arguments and settings are as its file says. */
export function startFloor(
  name: 'node-echo' | 'node-replay' | 'fastify-bytes' | 'fastify-signal' | 'signal-route',
  { args = [], ...options }: Partial<Pick<ServerOptions, 'args' | 'env'>> = {},
): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return startServer({ ...options, name: `floor ${name}`, args: [file, ...args] });
}
