import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the server under test by `--import`: reports on its own port the longest turn of the main event loop
 * since the last report, in milliseconds of processor time. Unlike a delay, processor time does not grow with other
 * work of the machine.
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
