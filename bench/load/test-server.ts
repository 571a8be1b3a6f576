import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';

/** A server for a test, on a free port of 127.0.0.1; leaving an `await using` closes it with all its connections. */
export interface TestServer extends AsyncDisposable {
  readonly origin: string;
  /** Connections that are open now. */
  readonly open: ReadonlySet<Socket>;
  /** Resolves once no connection is open. */
  drained(): Promise<void>;
}

export function serveHttp(listener: RequestListener): Promise<TestServer> {
  return listen(createHttpServer({ keepAliveTimeout: 0 }, listener));
}

/**
 * Starts a server that calls `onRequest` when a request head has arrived (there are no bodies), with the number of the
 * request on its connection, from 1.
 */
export function serveRaw(onRequest: (socket: Socket, request: number) => void): Promise<TestServer> {
  return listen(
    createServer({ noDelay: true }, (socket) => {
      let received = '';
      let requests = 0;
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
          received = received.slice(end + 4);
          requests += 1;
          onRequest(socket, requests);
        }
      });
    }),
  );
}

async function listen(server: Server): Promise<TestServer> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    // The tests check what the client does with a broken connection. The server only closes its end.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) server.emit('drained');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    open,
    drained: async () => {
      if (open.size > 0) await once(server, 'drained');
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
