import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-network.ts';

export interface ConnectionLimits {
  /** Most connections of all clients together; 0 lifts the limit. */
  readonly total: number;
  /** Most connections of one client address (an IPv4 address or an IPv6 /64 network); 0 lifts the limit. */
  readonly perAddress: number;
}

export interface Connections {
  /** Connections that are open now. */
  readonly open: number;
  /** Connections that were closed on arrival because a limit was reached, since the start. */
  readonly refused: number;
}

/**
 * Closes each new connection beyond the limits, before a byte of it is read. Counts by the address of the socket, so the
 * limit per address must be lifted where a proxy stands in front: all clients would share one address.
 */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): Connections {
  const counts = { open: 0, refused: 0 };
  const openOf = new Map<string, number>();
  if (total > 0) server.maxConnections = total;
  server.on('drop', () => counts.refused++);
  server.on('connection', (socket: Socket) => {
    // A client that has already gone has no address.
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
