import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-network.ts';

export interface ConnectionLimits {
  /** The highest number of connections of all clients; 0 turns the limit off. */
  readonly total: number;
  /** The highest number of connections of one IPv4 address or IPv6 /64 network; 0 turns the limit off. */
  readonly perAddress: number;
}

export interface Connections {
  /** The number of open connections. */
  readonly open: number;
  /** The number of connections since the start that were closed on arrival because of a limit. */
  readonly refused: number;
}

/**
 * Closes new connections beyond the limits before reading from them. Counts by the address of the socket, so the limit
 * per address must be off behind a proxy, where all clients share one address.
 */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): Connections {
  const counts = { open: 0, refused: 0 };
  const openOf = new Map<string, number>();
  if (total > 0) server.maxConnections = total;
  server.on('drop', () => counts.refused++);
  server.on('connection', (socket: Socket) => {
    // The address is missing when the client has disconnected already.
    const address = networkOf(socket.remoteAddress ?? '');
    const before = openOf.get(address) ?? 0;
    if (perAddress > 0 && before >= perAddress) {
      counts.refused++;
      socket.destroy();
      return;
    }
    counts.open++;
    openOf.set(address, before + 1);
    socket.once('close', () => {
      counts.open--;
      const left = (openOf.get(address) as number) - 1;
      if (left === 0) openOf.delete(address);
      else openOf.set(address, left);
    });
  });
  return counts;
}
