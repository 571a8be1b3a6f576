import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests with `Expect: 100-continue` whose sender waits for the 100, with their responses. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Defers `100 Continue` until the route reads the body. When a request is answered before its body was read, the client
 * may or may not send the body, so the connection is closed with the answer. Ignores other expectations, as RFC 9110
 * allows.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    response.setHeader('connection', 'close');
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Sends `100 Continue` if the sender of `request` waits for it. */
export function sendContinue(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (response === undefined) return;
  waiting.delete(request);
  response.removeHeader('connection');
  response.writeContinue();
}
