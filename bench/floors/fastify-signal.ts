import { fastify } from 'fastify';
import { closeOnTerm, host, port } from './serve.ts';

// Floor for signals: bare Fastify parses a JSON body and answers in the shape of docs/spec#send-a-signal. It checks no
// token, validates nothing and stores nothing.
let id = 0;
const app = fastify();
app.get('/ready', () => 'ready');
app.post('/api/signal-endpoint/:name', (request, reply) => {
  id += 1;
  const signal = {
    id,
    source: 'signal-endpoint',
    sourceId: 1,
    createdAt: new Date().toISOString(),
    createdBySourceTokenId: 1,
    payload: request.body ?? {},
  };
  return reply.send({ signals: [signal], duplicate: false });
});
closeOnTerm(app.server);
await app.listen({ host, port });
