import { afterEach, expect, it } from 'vitest'
import { replayTyping, watchTyping } from './early-typing'

afterEach(() => {
  document.body.replaceChildren()
})

it('types again what was typed before, and while the page was coming alive', () => {
  document.body.innerHTML = '<input id="before"><input id="meanwhile"><input id="untouched">'
  const field = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)!
  const ids = ['before', 'meanwhile', 'untouched']
  const heard: string[] = []
  field('before').value = 'ada@northwind.test'
  watchTyping()
  field('meanwhile').value = 'mosaic'
  field('meanwhile').dispatchEvent(new Event('input', { bubbles: true }))
  for (const id of ids) field(id).value = ''
  document.body.addEventListener('input', ({ target }) => heard.push((target as HTMLInputElement).value))
  for (const id of ids) replayTyping(field(id))
  expect(heard).toEqual(['ada@northwind.test', 'mosaic'])
  expect(field('before').value).toBe('ada@northwind.test')
})

it('keeps nothing of what is typed later', () => {
  document.body.innerHTML = '<input>'
  const field = document.querySelector('input')!
  watchTyping()
  replayTyping(field)
  field.value = 'a secret'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.value = ''
  replayTyping(field)
  replayTyping(null)
  expect(field.value).toBe('')
})
