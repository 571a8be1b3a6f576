const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys that open the command palette, as the interface shows them. */
export const paletteKeys = isApple ? '⌘ K' : 'Ctrl K';

/** A shortcut, and what it does. All its keys are pressed together. */
interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** All keyboard shortcuts, as the dialog of shortcuts lists them. */
export const shortcuts: readonly Shortcut[] = [
  { keys: paletteKeys.split(' '), does: 'Search flags, projects, pages, actions and more' },
  { keys: ['?'], does: 'Show the keyboard shortcuts' },
  { keys: ['Tab'], does: 'Go to the next control; the first press offers to skip to the content' },
  { keys: ['Space'], does: 'Switch a flag, or press a button' },
  { keys: ['Enter'], does: 'Open a link or a menu, or send a form' },
  { keys: ['Esc'], does: 'Close a dialog, a panel or a menu' },
];
