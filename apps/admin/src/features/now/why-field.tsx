import { Textarea, type TextareaProps } from '@mantine/core';

/** A text field for the reason of a decision about automation. {@link requireWhy} validates it. */
export function WhyField(props: TextareaProps) {
  return <Textarea label="Why" required autosize minRows={2} maxLength={1000} {...props} />;
}

/** Returns the error of an empty reason; null for any other. */
export function requireWhy(reason: string): string | null {
  return reason.trim() === '' ? 'Enter a reason. Others see it in the event log.' : null;
}
