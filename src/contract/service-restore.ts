// What an event tells of a restore of the service.
import { Type as T } from 'typebox'
import { instant, oneOf, uuid, whole } from '#/kernel/schema.ts'
import { mode } from './words.ts'

/**
 * What was accepted in the lost span, and the merchant may request again. The repeated request makes a new record, because its idempotency
 * key was lost too.
 */
export const repeatable = ['PAYMENT', 'PAYMENT_LINK', 'WALLET', 'WEBHOOK_ENDPOINT'] as const

/** What may have moved money already: to be requested again only after the operator has confirmed that no money moved. */
export const confirmFirst = ['REFUND', 'WITHDRAWAL', 'TRANSFER'] as const

const aSequence = (meaning: string) => whole(0, Number.MAX_SAFE_INTEGER, meaning, [4711])

/** What `service.restored` tells. */
export const serviceRestore = T.Object(
  {
    id: uuid('The restore: the same for every merchant.'),
    mode,
    lostFrom: instant('The newest change that was restored.'),
    lostTo: instant('When the repair began: what is answered from here on stays.'),
    lastSequence: aSequence('The number of your last event that was restored; zero: there was none.'),
    firstSequence: aSequence(
      'The number of your first event after the restore. Those in between may have been used, and are not used again.',
    ),
    sendAgain: T.Array(oneOf('RestoreSendAgain', repeatable, 'What you made in that span: make it again.'), {
      description:
        'What to send again if it was answered in that span. It is a new one: idempotency keys are lost too.',
    }),
    askFirst: T.Array(oneOf('RestoreAskFirst', confirmFirst, 'May have moved money.'), {
      description:
        'What may have been carried out although its record is lost: ask the operator before you send it again.',
    }),
  },
  { title: 'ServiceRestore', description: 'A restore of the service to an earlier moment.' },
)
