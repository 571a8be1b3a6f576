import { Button, type ButtonProps } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { Permitted } from '../../ui/permitted.tsx';
import { ChooseProject } from './choose-project.tsx';

interface Props {
  readonly signalId: number;
  readonly size?: NonNullable<ButtonProps['size']>;
}

/** A button that makes an action from a signal, in a project of the user's choice. */
export function MakeAction({ signalId, size = 'sm' }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Permitted needs="ADMIN">
        <Button
          variant="default"
          size={size}
          leftSection={<IconBolt size={16} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          Make an action from this signal
        </Button>
      </Permitted>
      {isOpen && (
        <ChooseProject
          title="Make an action"
          opens="The form opens with the source of this signal, and with filters for it where the sender is known."
          signalId={signalId}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
