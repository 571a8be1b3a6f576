import { newId } from '#kernel/ids.ts';
import type { MailText } from './mail.ts';
import type { MailQueue } from './mail-queue.ts';

/** Queues an e-mail to a user and returns true; returns false without a mail server or an address. */
export type SendToUser = (address: string | null, mail: MailText) => boolean;

/** Returns the function by which features send e-mail to users. */
export function createSendToUser(queue: MailQueue | undefined): SendToUser {
  return (address, mail) => {
    if (queue === undefined || address === null) return false;
    queue.add({ ...mail, to: [address], id: newId() });
    return true;
  };
}
