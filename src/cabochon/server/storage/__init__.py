"""What is kept: the database, its schema and migrations, and who may write to it."""
