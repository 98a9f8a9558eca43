import type { UserEvent } from '@testing-library/user-event'

/** Puts a text into a field in one go, for tests that are not about typing: every key renders the form again. */
export async function fillIn(person: Pick<UserEvent, 'click' | 'paste'>, field: HTMLElement, text: string) {
  await person.click(field)
  await person.paste(text)
}
