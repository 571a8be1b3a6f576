import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';

/** The time for which a button shows the result of copying, in milliseconds. */
const shownMs = 2000;

/**
 * Copies a text to the clipboard, and returns whether that succeeded. Over plain HTTP browsers have no clipboard for
 * scripts: there it copies from a text area after `beside`, because a dialog takes the focus back from elsewhere.
 */
export async function copyText(text: string, beside?: HTMLElement): Promise<boolean> {
  if (navigator.clipboard !== undefined)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  if (beside === undefined) document.body.append(area);
  else beside.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  beside?.focus();
  return isCopied;
}

/** Returns a function that copies a text when a button is clicked, and for two seconds the result. */
export function useCopy(text: string) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const { start } = useTimeout(() => setResult(undefined), shownMs);
  const copy = async (button: HTMLElement) => {
    setResult((await copyText(text, button)) ? 'copied' : 'failed');
    start();
  };
  return { result, copy };
}
