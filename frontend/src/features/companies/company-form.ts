import * as z from 'zod/mini'
import { emailField, requiredField } from '@/components/forms/schemas'
import { toInternational, toPhoneForm } from '@/components/phone/phone-number'
import { phoneShape, validPhone } from '@/components/phone/phone-schema'
import type { Company, CompanyUpdate } from './api'

export const ZIP_LENGTH = 5

const text = z.string().check(z.trim())

/** The dialog's flat form; the API nests the address. Messages are keys of the `auth` texts. */
export const companySchema = z
  .object({
    name: requiredField,
    email: emailField,
    ...phoneShape,
    addressLine1: requiredField,
    addressLine2: text,
    city: text,
    state: requiredField,
    zip: z.string().check(z.trim(), z.length(ZIP_LENGTH)),
  })
  .check(validPhone)

export type CompanyForm = z.infer<typeof companySchema>

export function toCompanyForm({ name, email, phoneNumber, address }: Company): CompanyForm {
  const { addressLine1, addressLine2, city, state, zipCode } = address
  return { name, email, ...toPhoneForm(phoneNumber), addressLine1, addressLine2, city, state, zip: zipCode }
}

export function toCompanyUpdate(form: CompanyForm): CompanyUpdate {
  const { name, email, addressLine1, addressLine2, city, state, zip } = form
  return {
    name,
    email,
    phoneNumber: toInternational(form) ?? form.number,
    address: { state, zipCode: zip, addressLine1, addressLine2, city },
  }
}

/** The server's names of the fields that are called otherwise in the form. */
export const wireNames = {
  phoneNumber: 'number',
  'address.addressLine1': 'addressLine1',
  'address.addressLine2': 'addressLine2',
  'address.city': 'city',
  'address.state': 'state',
  'address.zipCode': 'zip',
} as const
