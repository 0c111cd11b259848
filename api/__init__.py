"""The GraphQL face: types, resolvers and the HTTP application. It converts and calls services; it decides nothing."""
