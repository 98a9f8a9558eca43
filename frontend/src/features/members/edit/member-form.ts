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
      // Said even while another field still has a problem.
      when: () => true,
    }),
  )

/** The contacts that count. What waits for its owner stays out: saving a name must not propose it once more. */
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
