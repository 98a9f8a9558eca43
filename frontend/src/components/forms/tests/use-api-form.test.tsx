import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { emptyPassword, NewPasswordFields, newPasswordSchema } from '../NewPasswordFields'
import { useApiForm } from '../use-api-form'

const schema = newPasswordSchema('')
const differ = 'Password should be equal'

function Passwords() {
  return <NewPasswordFields form={useApiForm({ schema, defaultValues: emptyPassword, submit: () => undefined })} />
}

async function type(label: string, value: string) {
  const field = await screen.findByLabelText(label)
  await act(async () => fireEvent.input(field, { target: { value } }))
  return field
}

it('does not show the message of an earlier check when a field is left', async () => {
  renderWithProviders(<Passwords />)
  // Checks the empty confirmation too.
  fireEvent.blur(await type('New password', 'four ordinary words'))
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(screen.queryByText(differ)).toBeNull()
  const confirmation = await type('Confirm password', 'four ordinary words')
  fireEvent.blur(confirmation)
  expect(screen.queryByText(differ)).toBeNull()
  await act(() => new Promise((resolve) => setTimeout(resolve)))
  expect(screen.queryByText(differ)).toBeNull()
  await type('Confirm password', 'another')
  expect(await screen.findByText(differ)).toBeVisible()
})
