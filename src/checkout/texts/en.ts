import { methodLabels } from '../methods/all.ts'
import type { Labels } from './labels.ts'

export const enLabels: Labels = {
  sandbox: 'Test, no real money',
  amountDue: 'Total to pay',
  amountPaid: 'Total paid',
  amount: 'Total',

  copy: 'Copy',
  copied: 'Copied',
  selected: 'Selected',

  chooseMethod: 'Payment method',
  otherMethod: 'Pay another way',
  continue: 'Continue',
  optional: 'optional',
  cancel: 'Cancel payment',
  cancelAsk: 'The payment ends, and this link stops working. Nothing is charged.',
  cancelYes: 'Yes, cancel',
  refresh: 'Refresh',
  opening: 'One moment…',
  listening: 'Waiting for payment…',
  cutOff: 'No connection. Trying again…',

  expiresIn: 'Expires in',
  expiresAt: 'Pay {time}',
  fiveMinutesLeft: '5 minutes left to pay.',
  oneMinuteLeft: '1 minute left to pay.',

  ...methodLabels('en'),

  preparing: 'Preparing',

  returning: 'Returning to the store in {seconds} s.',
  stay: 'Stay on this page',
  receipt: 'Receipt',
  print: 'Print receipt',
  languages: 'Language',
}
