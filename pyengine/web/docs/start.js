// A file of its own: the content security policy lets no page bring a program in its text.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  validatorUrl: null,
});
