import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shows an error of a form that belongs to no single field. Renders nothing without one. */
export function FormError({ children }: { readonly children: ReactNode }) {
  if (children === undefined || children === null) return null;
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  );
}
