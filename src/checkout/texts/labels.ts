// The words of buttons, captions and rows: what the view says by itself, whatever the method. Every language has all of them, or
// does not compile. Words in braces are filled in by the view. A language is one file beside this one; what the panel of a
// method says stands in ../methods.

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
  /** Where the template offers it: it asks before it ends anything. */
  readonly cancel: string
  readonly cancelAsk: string
  readonly cancelYes: string
  readonly refresh: string
  /** On what was just pressed. */
  readonly opening: string
  /** While the page listens, and while it is cut off. */
  readonly listening: string
  readonly cutOff: string

  /** Before the countdown. */
  readonly expiresIn: string
  /** `{time}`: as the language's `until` says it, "until 3:40", "until the 23rd". */
  readonly expiresAt: string
  /** Said once to who does not see the countdown. */
  readonly fiveMinutesLeft: string
  readonly oneMinuteLeft: string

  readonly preparing: string

  /** `{seconds}`. */
  readonly returning: string
  readonly stay: string
  readonly receipt: string
  readonly print: string
  readonly languages: string
}
