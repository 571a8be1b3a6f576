import { createServer } from 'node:http';
import { closeOnTerm, host, port } from './serve.ts';

// Floor: what node:http alone can do. Answers each request with its own body, or with 1 kB when it has none.
const unasked = Buffer.alloc(1024, 'x');
const server = createServer((request, response) => {
  if (request.url === '/ready') {
    response.end('ready');
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = pieces.length === 0 ? unasked : Buffer.concat(pieces);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
closeOnTerm(server);
server.listen(port, host);
