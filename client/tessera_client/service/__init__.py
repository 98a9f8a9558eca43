"""What runs after login: connected folders and watched backups."""
