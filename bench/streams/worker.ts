import { connect, type Socket } from 'node:net';

// Reads many streams in a process of its own: messages tell it what to open, and it reports when each stream got a
// change.

/** Orders to the process: first what to open, then to wait for one change after the other. */
export type ReadersOrder =
  | { readonly open: number; readonly port: number; readonly path: string; readonly authorization: string }
  | { readonly waitForChange: true };

/** Reports of the process: all streams have begun, or when the change reached each, in milliseconds since 1970. */
export type ReadersReport =
  | { readonly opened: number }
  | { readonly arrivals: readonly number[] }
  | { readonly failed: string };

const opening = Buffer.from('event: unleash-connected\n');
const change = Buffer.from('event: unleash-updated\n');
/** Opened at a time: more than a server's queue of new connections would be refused. */
const atOnce = 100;

const sockets: Socket[] = [];
let arrivals: number[] = [];
let waiting = false;

const tell = (report: ReadersReport) => process.send?.(report);

process.on('message', (order: ReadersOrder) => {
  if ('open' in order) {
    openAll(order).then(
      () => tell({ opened: sockets.length }),
      (error) => tell({ failed: String(error) }),
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
  tell({ arrivals });
  waiting = false;
  arrivals = [];
}

async function openAll({ open, ...where }: Extract<ReadersOrder, { open: number }>): Promise<void> {
  for (let opened = 0; opened < open; opened += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, open - opened) }, () => openOne(where)));
  }
}

function openOne({ port, path, authorization }: Omit<Extract<ReadersOrder, { open: number }>, 'open'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
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
      tell({ failed: 'a stream ended' });
    });
  });
}
