import type { Server } from 'node:http';

/** The address of a floor, from the same variables that the product reads. */
export const host = process.env.HTTP_HOST ?? '127.0.0.1';
export const port = Number(process.env.PORT ?? 4300);

/**
 * Ends the process on SIGTERM: closes the server and its keep-alive connections, which would keep the process running.
 */
export function closeOnTerm(server: Server): void {
  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
  });
}
