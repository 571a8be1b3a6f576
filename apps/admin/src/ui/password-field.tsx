import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useId } from '@mantine/hooks';

/**
 * Where a secret is typed, which an eye shows, by keyboard too. Mantine's own says neither that something is wrong with it
 * nor what to whoever does not see it.
 */
export function PasswordField({ id, error, description, ...others }: PasswordInputProps) {
  const own = useId(id);
  const wrong = error !== undefined && error !== null && error !== false && error !== '';
  const described = [wrong && `${own}-error`, description !== undefined && `${own}-description`].filter(Boolean);
  return (
    <PasswordInput
      {...others}
      id={own}
      error={error}
      description={description}
      aria-invalid={wrong}
      {...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {})}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
    />
  );
}
