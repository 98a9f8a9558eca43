import type { components } from '@/api/types.generated'

export type Payment = components['schemas']['PaymentRead']
export type Card = components['schemas']['CardRead']
export type Plan = components['schemas']['PlanRead']
export type Invoice = components['schemas']['InvoiceRead']
export type SetupIntent = components['schemas']['SetupIntentRead']
