import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the server under test by `--import`: tells on a port of its own for how much processor time, in ms, the event loop
 * of the main thread stood at most since the last time it was asked. Processor time, unlike a delay, does not grow with what
 * else the machine does.
 */
const port = Number(process.env['STALL_PROBE_PORT'] ?? 0);
if (isMainThread && port > 0) {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = used();
  let longest = 0;
  setInterval(() => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close').end(String(longest));
    longest = 0;
  });
  server.listen(port, '127.0.0.1').unref();
}
