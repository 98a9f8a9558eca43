import * as z from 'zod/mini'
import { emailField, requiredField } from '@/components/forms/schemas'
import { toInternational, toPhoneForm, type PhoneForm } from '@/components/phone/phone-number'
import type { Member, MemberUpdate } from '../api'

export type MemberForm = PhoneForm & { firstName: string; lastName: string; email: string }

/** Messages are keys of the `auth` texts. */
export const memberSchema = z
  .object({
    firstName: requiredField,
    lastName: requiredField,
    email: emailField,
    country: z.custom<PhoneForm['country']>(),
    number: z.string(),
  })
  .check(
    z.refine((form) => toInternational(form) !== null, {
      path: ['number'],
      error: 'fields.phoneInvalid',
      // Reported even if another field has an error.
      when: () => true,
    }),
  )

/** The confirmed contacts only: saving a name must not propose an unconfirmed change again. */
export function toMemberForm(member: Member): MemberForm {
  return {
    firstName: member.firstName,
    lastName: member.lastName,
    email: member.email_address,
    ...toPhoneForm(member.phoneNumber),
  }
}

export function toUpdate({ uuid }: Member, form: MemberForm): MemberUpdate {
  return {
    uuid,
    firstName: form.firstName,
    lastName: form.lastName,
    email_address: form.email,
    phoneNumber: toInternational(form) ?? form.number,
  }
}
