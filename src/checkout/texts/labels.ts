// The words of buttons, captions and rows: what the view says by itself. Every language has all of them, or does not compile.
// Words in braces are filled in by the view. A language is one file beside this one.

export type Labels = {
  readonly sandbox: string
  /** Above the amount: while it is to be paid, when money is here, and when it is over. */
  readonly amountDue: string
  readonly amountPaid: string
  readonly amount: string

  readonly copy: string
  readonly copied: string
  /** The browser does not let us copy: the text is selected instead. */
  readonly selected: string

  readonly chooseMethod: string
  readonly otherMethod: string
  readonly continue: string
  readonly optional: string
  readonly cancel: string
  readonly refresh: string

  /** Before the countdown. */
  readonly expiresIn: string
  /** `{time}`: as the language's `until` says it, "until 3:40", "until the 23rd". */
  readonly expiresAt: string
  /** Said once to who does not see the countdown. */
  readonly fiveMinutesLeft: string
  readonly oneMinuteLeft: string

  readonly pixCopy: string
  readonly pixCode: string
  readonly pixSteps: string
  readonly pixStep1: string
  readonly pixStep2: string
  readonly pixStep3: string

  /** `{token}`, `{network}`. */
  readonly networkWarning: string
  readonly qrAddress: string
  readonly qrWallet: string
  readonly exactAmount: string
  readonly address: string
  readonly feesNote: string
  readonly openWallet: string
  readonly received: string
  readonly transaction: string
  /** `{done}`, `{needed}`. */
  readonly confirmations: string
  readonly confirmed: string

  /** The name of the frame, for who hears the page. */
  readonly cardFrame: string
  readonly cardSafe: string
  readonly cardLoading: string
  readonly cardContinue: string
  readonly cardElsewhere: string

  readonly appOpen: string
  readonly appScan: string

  readonly preparing: string

  /** `{seconds}`. */
  readonly returning: string
  readonly stay: string
  readonly receipt: string
  readonly languages: string
}
