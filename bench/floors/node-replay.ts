import { once } from 'node:events';
import { createServer } from 'node:http';
import { closeOnTerm, host, port } from './serve.ts';

// Floor: node:http alone answers `GET /<bytes>` with that many bytes, in pieces, as fast as the reader takes them.
const piece = Buffer.alloc(256 * 1024, 'x');
const server = createServer(async (request, response) => {
  if (request.url === '/ready') {
    response.end('ready');
    return;
  }
  let left = Number(request.url?.slice(1));
  while (left > 0 && !response.destroyed) {
    if (!response.write(piece.subarray(0, left)))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    left -= piece.length;
  }
  response.end();
});
closeOnTerm(server);
server.listen(port, host);
