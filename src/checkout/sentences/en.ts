// The page's texts for every method: what happened, what it means for the money, and what to do next. The texts of one method are
// in ../methods. The type of this language is the type of all: a language that lacks a text does not compile.

/** The amount that arrived, and the amount of the payment. The currency is named once: "8.00 USDT of 10.00". */
export type Sent = { readonly received: string; readonly amount: string }

export const enSentences = {
  /** A time of today, or a day and a time. */
  until: (time: string, _isToday: boolean) => `by ${time}`,
  choose: {
    headline: 'How would you like to pay?',
    message: 'Choose how to pay. You can change it before you pay.',
    one: 'Fill in the missing details and continue to payment.',
  },
  /** In the place of a method's hint. */
  shut: 'Not available right now',
  preparing: { headline: 'One moment', message: 'We’re getting your payment ready.' },
  confirming: {
    headline: 'Confirming your payment',
    message: 'Your payment is being processed. There’s nothing more to do; please don’t pay again.',
  },
  underpaid: {
    headline: 'Payment incomplete',
    message: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}. Contact ${merchant} to pay the rest.`,
  },
  paid: {
    headline: 'Payment confirmed',
    message: (merchant: string) => `${merchant} has received your payment. Thank you!`,
    /** More is on its way. */
    another: (amount: string, merchant: string) =>
      `Another ${amount} is on its way. This payment is already paid: contact ${merchant} about the second one.`,
  },
  overpaid: {
    headline: 'Overpaid',
    message: ({ received, amount }: Sent, excess: string, merchant: string) =>
      `We received ${received} for a payment of ${amount}. We’ve told ${merchant}. Contact them to get ${excess} back.`,
  },
  late: {
    headline: 'Paid late',
    message: (merchant: string) =>
      `Your payment arrived in full, but after the deadline. We’ve told ${merchant}. Contact them about your order.`,
  },
  expired: {
    headline: 'The time to pay has run out',
    message: (merchant: string) =>
      `We received no payment and nothing was charged. Go back to ${merchant} and start again. Already paid? Don’t pay twice: contact ${merchant}.`,
    withMoney: ({ received, amount }: Sent, merchant: string) =>
      `We received ${received} of ${amount}, but the time has run out. Your money is safe. Contact ${merchant} to get it back or to pay the rest.`,
  },
  failed: {
    headline: 'The payment couldn’t be completed',
    message: (merchant: string) =>
      `Nothing was charged. Go back to ${merchant} and start again, or pay another way.`,
  },
  canceled: {
    headline: 'Payment canceled',
    message: (merchant: string) =>
      `Nothing was charged. If you still want to pay, go back to ${merchant} and start again.`,
  },
  /** Money is on its way to a payment that was canceled or failed. */
  onItsWay: {
    headline: 'Your money is on its way',
    message: (amount: string, merchant: string) =>
      `We found ${amount}, sent for a payment that is already closed. Your money is safe; please don’t pay again. This page shows when it arrives. Then contact ${merchant}.`,
  },
  endedWithMoney: ({ received, amount }: Sent, merchant: string) =>
    `We received ${received} of ${amount}. Your money is safe. Contact ${merchant} to get it back.`,
  /** A failed try, by the rail's code, for codes that several methods report; `other` for the rest. */
  declines: {
    amount_too_small:
      'The amount is too small for this payment method. Choose another, or contact the store.',
    amount_too_large:
      'The amount is too large for this payment method. Choose another, or contact the store.',
    payer_refused: 'The payment processor didn’t accept your details. Check them and try again.',
    refused_by_provider:
      'The payment processor didn’t accept this payment. Choose another method, or contact the store.',
    other: 'The payment was declined. Try again; if that doesn’t work, contact the store.',
  },
  problems: {
    provider_away: 'The payment processor isn’t responding. Nothing was charged. Try again in a moment.',
    refused: 'This payment method isn’t available right now. Choose another.',
    /** The payer stays with the method chosen before. */
    kept: (tried: string, current: string) =>
      `${tried} isn’t available right now. Nothing was charged. Pay with ${current} here, or choose another method.`,
  },
  items: { label: 'Items', count: (count: string) => `${count} items` },
  receipt: {
    amount: 'Amount',
    received: 'Amount received',
    method: 'Payment method',
    paidAt: 'Paid on',
    to: 'Paid to',
    number: 'Payment number',
    transaction: 'Transaction',
  },
  fields: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    taxId: 'CPF or CNPJ',
    iban: 'IBAN',
    country: 'Country',
    postcode: 'ZIP or postal code',
    line1: 'Address',
    line2: 'Apartment, floor, or other details',
    district: 'District',
    city: 'City',
    region: 'State or region',
  },
  faults: {
    required: (label: string) => `${label} is required.`,
    email: 'Enter a valid email, such as ana@example.com.',
    phone: 'Enter a valid phone number with its country code, such as +55 11 91234-5678.',
    taxId: 'Invalid CPF or CNPJ. Check the digits.',
    iban: 'Enter a valid IBAN of a bank in the SEPA area, such as PT50 0002 0123 1234 5678 9015 4.',
    tooLong: 'This is too long. Shorten it.',
    card: 'Don’t enter your card number here. Use the card form.',
    country: 'Choose a country from the list.',
  },
  /** Beside the IBAN: what the SEPA Direct Debit Core rulebook makes a mandate say. */
  mandate: (merchant: string) =>
    `By continuing, you accept this mandate: you authorize ${merchant}, and the payment processor on its behalf, to send instructions to your bank to debit this account once, and your bank to debit it in accordance with them. You are entitled to a refund from your bank under the terms of your agreement with it. A refund must be claimed within eight weeks from the date on which your account was debited. You agree to be told of the debit shortly before it happens.`,
  links: {
    back: (merchant: string) => `Back to ${merchant}`,
    support: (merchant: string) => `Contact ${merchant}`,
    terms: 'Terms',
    privacy: 'Privacy',
  },
  /** Pages that show no payment. */
  pages: {
    not_found: {
      title: 'Payment not found',
      message: 'The link may be incomplete. Open it again from the store or the message you received.',
    },
    too_many: { title: 'Too many attempts', message: 'Wait a few seconds, then reload the page.' },
    refused: { title: 'We couldn’t continue', message: 'Open the payment again from its link.' },
    broken: {
      title: 'Something went wrong',
      message: 'Your payment is safe. Reload the page in a moment.',
    },
    leaving: {
      title: 'Taking you to the payment page',
      message: 'You’ll go to the payment processor’s secure page. If nothing happens, use the button.',
      button: 'Continue',
    },
    back_to_payment: 'Back to the payment',
  },
  frame: {
    title: 'Card details',
    broken: 'The card form didn’t load. Check your connection and reload the page.',
  },
}

export type Sentences = typeof enSentences
