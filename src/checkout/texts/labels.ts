// The labels of buttons, captions and rows, for every method. A language that lacks one does not compile. The view replaces the
// words in braces. Each language is a file beside this one; the labels of one method's panel are in ../methods.

export type Labels = {
  readonly sandbox: string
  /** Above the amount: while it is to be paid, when money is here, and when it is over. */
  readonly amountDue: string
  readonly amountPaid: string
  readonly amount: string

  readonly copy: string
  readonly copied: string
  /** The browser does not allow copying: the text is selected instead. */
  readonly selected: string

  readonly chooseMethod: string
  readonly otherMethod: string
  readonly continue: string
  readonly optional: string
  /** Where the template offers it: it asks before it cancels. */
  readonly cancel: string
  readonly cancelAsk: string
  readonly cancelYes: string
  readonly refresh: string
  /** On the button that was just pressed. */
  readonly opening: string
  /** While the page is connected, and while it is cut off. */
  readonly listening: string
  readonly cutOff: string

  /** Before the countdown. */
  readonly expiresIn: string
  /** `{time}`: the language's `until` writes it, "until 3:40", "until the 23rd". */
  readonly expiresAt: string
  /** Read once to a payer who does not see the countdown. */
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
