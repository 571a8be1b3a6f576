import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '#config/settings.ts';

/** The configured address or port cannot be listened on. */
export class AddressUnusable extends Error {}

const lastPort = 65_535;

/**
 * Listens on the configured port for a moment. A start does so before it creates the first administrator, whose
 * password it prints only once. Rejects with an {@link AddressUnusable} that says what to do.
 */
export async function requireFreePort(config: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: config.host, port: config.port });
    await once(server, 'listening');
  } catch (error) {
    throw asAddressUnusable(error, config);
  } finally {
    server.close();
  }
}

/** Returns the plain error for an address that cannot be listened on; other errors unchanged. */
export function asAddressUnusable(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const other = `PORT=${port < lastPort ? port + 1 : port - 1} npm start`;
  if (code === 'EADDRINUSE')
    return new AddressUnusable(
      `Port ${port} is in use by another program. Stop that program, or choose another port, such as ${other}`,
      {
        cause: error,
      },
    );
  if (code === 'EACCES')
    return new AddressUnusable(
      `Port ${port} needs more rights than this user has. Choose another port, such as ${other}`,
      { cause: error },
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new AddressUnusable(`This machine has no address ${host}. Set HTTP_HOST to one that it has.`, {
      cause: error,
    });
  return error;
}
