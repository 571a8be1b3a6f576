import { Button, Group, Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { Place } from '../lib/me.ts';
import { FormError } from './form-error.tsx';
import { Permitted, PermittedFields } from './permitted.tsx';
import { SectionCard } from './section-card.tsx';

interface Props extends Omit<ComponentProps<typeof SectionCard>, 'actions'> {
  /** The label of the submit button. */
  readonly save: string;
  readonly saving: {
    readonly submit: ComponentProps<'form'>['onSubmit'];
    readonly pending: boolean;
    readonly formError: string | undefined;
  };
  readonly isChanged: boolean;
  /** The permissions, any one of which is enough to edit and save. */
  readonly needs: string | readonly string[];
  readonly place: Place;
  /** The width in pixels, on screens that are wide enough. */
  readonly width?: number;
  /** Text above the fields, also for users who may not edit them. */
  readonly above?: ReactNode;
  /** Buttons before the submit button. */
  readonly more?: ReactNode;
}

/** A section of a page with settings that are saved together. */
export function FormCard({
  save,
  saving,
  isChanged,
  needs,
  place,
  width = 640,
  above,
  more,
  children,
  ...card
}: Props) {
  return (
    <SectionCard {...card}>
      <form onSubmit={saving.submit} noValidate>
        <Stack maw={width}>
          {above}
          <PermittedFields needs={needs} place={place}>
            <Stack>{children}</Stack>
          </PermittedFields>
          <FormError>{saving.formError}</FormError>
          <Group>
            {more}
            <Permitted needs={needs} place={place}>
              <Button type="submit" loading={saving.pending} disabled={!isChanged}>
                {save}
              </Button>
            </Permitted>
          </Group>
        </Stack>
      </form>
    </SectionCard>
  );
}
