import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose sender waits to be asked for the body, with the answers they will get. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Leaves it to the routes to ask for bodies that senders hold back (`Expect: 100-continue`). One that is answered
 * without having been asked may send its body or not, so its connection ends with the answer. Other expectations
 * are taken for none, as RFC 9110 allows.
 */
export function holdExpectedBodies(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    response.setHeader('connection', 'close');
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Asks the sender of `request` for its body if it waits for that. */
export function askForBody(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (response === undefined) return;
  waiting.delete(request);
  response.removeHeader('connection');
  response.writeContinue();
}
