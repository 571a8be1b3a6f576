import type { Note } from './notes.ts';

/**
 * Fits values that SDKs do not evaluate to what Yardarm stores, and collects what was changed or left out, so that no
 * such value stops a move. Values that SDKs evaluate are never fitted: the server refuses them and names the object.
 */
export class Fitting {
  readonly #owners = new Map<string, Set<string>>();

  /** Reports a change of an object, such as `flag checkout`, under a message. */
  report(message: string, owner: string): void {
    this.#owners.set(message, (this.#owners.get(message) ?? new Set()).add(owner));
  }

  /** Returns the notes on what was fitted, one for each message. */
  notes(): readonly Note[] {
    return [...this.#owners].map(([message, owners]) => ({ message, items: [...owners] }));
  }

  /** Returns text of at most `max` characters that every database stores; null when it is empty or absent. */
  text(text: string | null | undefined, max: number, owner: string): string | null {
    if (text == null || text === '') return null;
    const fitted = text.replaceAll('\0', '\uFFFD').slice(0, max).toWellFormed();
    if (fitted !== text)
      this.report(
        'Texts are cut where they are too long, and get other characters for those that cannot be stored',
        owner,
      );
    return fitted;
  }

  /** Returns text like {@link text}; the substitute when it is blank. */
  filled(text: string | null | undefined, max: number, owner: string, substitute: string): string {
    const fitted = this.text(text, max, owner) ?? '';
    if (fitted.trim() !== '') return fitted;
    this.report('Names and types that are blank are filled in', owner);
    return substitute;
  }

  /** Returns the value when it is accepted. Reports the message and returns the substitute otherwise. */
  accepted<T, S>(value: T, isAccepted: boolean, substitute: S, message: string, owner: string): T | S {
    if (isAccepted) return value;
    this.report(message, owner);
    return substitute;
  }
}
