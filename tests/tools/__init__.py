"""The project's own tools: how tests are run and chosen, what is built and shipped."""
