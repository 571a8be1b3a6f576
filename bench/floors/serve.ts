import type { Server } from 'node:http';

/** Where a floor listens: the variables the product itself is given. */
export const host = process.env.HTTP_HOST ?? '127.0.0.1';
export const port = Number(process.env.PORT ?? 4300);

/** Lets SIGTERM end the process: open keep-alive connections would hold it otherwise. */
export function closeOnTerm(server: Server): void {
  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
  });
}
