import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Place } from '../lib/me.ts';
import { Permitted } from './permitted.tsx';

interface Props {
  readonly needs: string | readonly string[];
  readonly place?: Place;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  /** The label: "New segment". */
  readonly children: string;
}

/** A button that opens the form of a new item. */
export function NewButton({ needs, place, disabled = false, onClick, children }: Props) {
  return (
    <Permitted needs={needs} {...(place === undefined ? {} : { place })}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick} disabled={disabled}>
        {children}
      </Button>
    </Permitted>
  );
}
