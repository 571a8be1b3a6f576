import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Counts } from './score.ts';

/** The score of a room, and the commit and the day that it was measured at. */
export interface RoomScore extends Counts {
  /** Set when only mutants drawn at random were tested: the number of mutants of the room, and the seed. */
  readonly sample?: { readonly of: number; readonly seed: string };
  readonly commit: string;
  readonly date: string;
}

const file = fileURLToPath(new URL('scores.json', import.meta.url));

/** Returns the committed score of each room that has been measured. */
export function readScores(): Readonly<Record<string, RoomScore>> {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes the score of a room into the file that is committed. */
export function writeScore(room: string, score: RoomScore): void {
  const scores = Object.entries({ ...readScores(), [room]: score }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(scores), null, 2)}\n`);
}

/** Returns the rooms in the order of their turn: those without a score first, then by the day of their score. */
export function inTurn(rooms: readonly string[], scores: Readonly<Record<string, Pick<RoomScore, 'date'>>>): string[] {
  const since = (room: string) => scores[room]?.date ?? '';
  return rooms.toSorted((a, b) => (since(a) < since(b) ? -1 : since(a) > since(b) ? 1 : 0));
}
