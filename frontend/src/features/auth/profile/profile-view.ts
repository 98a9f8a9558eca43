export type ProfileView = 'main' | 'email' | 'phone'
