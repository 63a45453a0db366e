// What payment methods are called, as their descriptors say it.
import { byMethod } from '#/rails/methods.ts'

export const merchantNames = byMethod(({ label, merchantLabel = label }) => merchantLabel)

export const operatorNames = byMethod(
  ({ label, merchantLabel = label, operatorLabel = merchantLabel }) => operatorLabel,
)
