import { connect, type Socket } from 'node:net';

// Reads many streams in a process of its own: messages tell it what to open, and it reports when each stream got a
// change.

/** Orders to the process: first what to open, then to wait for one change after the other. */
export type ReadersOrder =
  | {
      readonly open: number;
      readonly port: number;
      readonly path: string;
      readonly authorization: string;
      readonly opening: string;
      readonly change: string;
    }
  | { readonly waitForChange: true };

/** Reports of the process: all streams have begun, or when the change reached each, in milliseconds since 1970. */
export type ReadersReport =
  | { readonly opened: number }
  | { readonly arrivals: readonly number[] }
  | { readonly failed: string };

/** Connections opened at a time. More would exceed the server's queue of new connections and be refused. */
const atOnce = 100;

const sockets: Socket[] = [];
let arrivals: number[] = [];
let waiting = false;

const send = (report: ReadersReport) => process.send?.(report);

process.on('message', (order: ReadersOrder) => {
  if ('open' in order) {
    openAll(order).then(
      () => send({ opened: sockets.length }),
      (error) => send({ failed: String(error) }),
    );
    return;
  }
  waiting = true;
  report();
});
process.on('disconnect', () => process.exit(0));

/** Reports a change that has reached all streams, when the report has been requested. */
function report(): void {
  if (!waiting || arrivals.length < sockets.length) return;
  send({ arrivals });
  waiting = false;
  arrivals = [];
}

async function openAll({ open, ...where }: Extract<ReadersOrder, { open: number }>): Promise<void> {
  for (let opened = 0; opened < open; opened += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, open - opened) }, () => openOne(where)));
  }
}

function openOne(order: Omit<Extract<ReadersOrder, { open: number }>, 'open'>): Promise<void> {
  const { port, path, authorization, opening, change } = order;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
    let begun = false;
    // The end of the previous chunk, where a marker may be cut in two.
    let before = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      const text = Buffer.concat([before, piece]);
      before = text.subarray(-change.length + 1);
      if (!begun && text.includes(opening)) {
        begun = true;
        resolve();
      }
      if (!text.includes(change)) return;
      arrivals.push(performance.timeOrigin + performance.now());
      report();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('a stream was not opened'));
      send({ failed: 'a stream ended' });
    });
  });
}
